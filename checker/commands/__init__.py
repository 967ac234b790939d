"""The commands of `equipoise`, by what they are for; each imports its work only when it runs."""
