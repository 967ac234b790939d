"""The explorer's server: what it serves, to whom, and what it refuses."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPMessage
from threading import Thread
from urllib.parse import quote

import pytest

from checker.errors import InputError
from checker.explore.server import LOOPBACK, Explorer
from tests.explore.lamps import lamps
from tests.report.hostile import NASTY


@contextmanager
def explorer(titles: str = "A title.") -> Iterator[Explorer]:
    """Serve the lamps, and stop in the end."""
    with lamps(titles=titles) as table, Explorer(table) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask(
    server: Explorer, path: str, body: str | None = None, method: str | None = None, **headers: str
) -> tuple[int, HTTPMessage, str]:
    """Send a request as the explorer's page would, with some headers changed; an empty one is left out."""
    connection = HTTPConnection(LOOPBACK, server.server_port, timeout=20)
    own = {"Host": f"{LOOPBACK}:{server.server_port}"}
    own |= {"Origin": server.address[:-1]} if body is not None else {}
    sent = own | {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method or ("GET" if body is None else "POST"), path, skip_host=True)
    for name, value in sent.items():
        if value:
            connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(None if body is None else body.encode())
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def test_a_game_is_its_address() -> None:
    with explorer() as server:
        status, headers, text = ask(server, "/?do=light(red)&do=light(blue)")
    assert status == 200
    assert re.findall(r'<button name="do" value="([^"]*)"', text) == ["mend!set(fuse,dead)", "mend!set(fuse,whole)"]
    assert headers["Content-Security-Policy"].startswith("default-src 'none';")
    assert "script" not in headers["Content-Security-Policy"]
    assert "<script" not in text


def test_an_earlier_position_has_its_own_address() -> None:
    with explorer() as server:
        text = ask(server, "/?do=light(red)&do=light(blue)")[2]
        earlier = ask(server, "/?do=light(red)&do=light(blue)&upto=1")
    assert re.findall(r'<button name="upto" value="(\d)"', text) == ["1", "2"]
    assert (earlier[0], earlier[1]["Location"]) == (303, "/?do=light%28red%29")


def test_every_illegal_action_is_told_on_request() -> None:
    with explorer() as server:
        plain = ask(server, "/?do=light(red)")[2]
        why = ask(server, "/?do=light(red)&why=1")[2]
    assert ("fuse should be blown, but is whole" in plain, plain.count("<code>")) == (False, 0)
    assert ("fuse should be blown, but is whole" in why, why.count("<code>")) == (True, 2)


def test_what_is_no_game_is_said_on_a_page() -> None:
    with explorer() as server:
        for query, message in (
            ("do=mend", "mend is not legal there"),
            ("do=<script>", "&lt;script&gt; is not legal there"),
            ("start=x", "start is &#34;x&#34;; expected a whole number"),
            ("start=7", "there is no initial board 7"),
            ("do=light(red)&" * 1200, "longer than 1000 steps"),
        ):
            status, _, text = ask(server, f"/?{quote(query, safe='=&()')}")
            assert (status, message in text, "<script" in text) == (400, True, False), text[-300:]


def test_jumps_and_walks_lead_to_a_game() -> None:
    with explorer() as server:
        jumped = ask(server, "/jump", "do=light(red)&property=overload")
        held = ask(server, "/jump", "do=light(red)&property=torn")
        walked = [ask(server, "/walk", f"do=light(red)&steps=9&seed={seed}")[1]["Location"] for seed in (3, 3)]
        told = ask(server, held[1]["Location"])[2]
    assert (jumped[0], jumped[1]["Location"].count("do=")) == (303, 2)
    assert jumped[1]["Location"].endswith("&property=overload&answer=game")
    assert held[1]["Location"] == "/?do=light%28red%29&property=torn&answer=holds"
    assert "Nothing breaks it: there is no such game." in told
    assert walked[0] == walked[1]
    assert walked[0].startswith("/?do=light%28red%29&do=light%28blue%29&do=mend%21set")


def test_a_game_is_handed_out_as_a_file() -> None:
    with explorer() as server:
        ruling = ask(server, "/ruling.toml?do=light(red)")
        trace = ask(server, "/game.itf.json?do=light(red)")
        nothing = ask(server, "/ruling.toml")
    assert (ruling[0], ruling[1]["Content-Disposition"], 'do = "light(red)"' in ruling[2]) == (200, "attachment", True)
    assert (trace[0], trace[1]["Content-Type"], '"mbt::actionTaken": "light(red)"' in trace[2]) == (
        200,
        "application/json",
        True,
    )
    assert nothing[0] == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": LOOPBACK},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Mode": "cors"},
    ],
)
def test_requests_of_others_are_refused(headers: dict[str, str]) -> None:
    with explorer() as server:
        assert ask(server, "/", **headers)[0] == 403
        assert ask(server, "/walk", "steps=1", **headers)[0] == 403


def test_a_link_from_elsewhere_may_be_followed_but_not_posted() -> None:
    followed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    with explorer() as server:
        assert ask(server, "/?do=light(red)", **followed)[0] == 200
        assert ask(server, "/walk", "steps=1", Origin="")[0] == 403
        assert ask(server, "/", Host=f"localhost:{server.server_port}")[0] == 200


def test_nothing_else_is_served() -> None:
    with explorer() as server:
        for path in ("/etc/passwd", "/../rulebook.toml", "/index.html", "/walk", "/jump"):
            assert ask(server, path)[0] == 404, path
        assert ask(server, "/", "x=1")[0] == 404
        assert ask(server, "/", method="PUT")[0] == 501
        assert ask(server, "/walk", method="POST", Origin=server.address[:-1])[0] == 413


def test_it_listens_on_the_loopback_interface_only() -> None:
    with explorer() as server:
        assert server.server_address[0] == "127.0.0.1"
        with pytest.raises(InputError, match=f"port {server.server_port} of 127.0.0.1 cannot be listened on"):
            Explorer(server.table, server.server_port)


def test_texts_of_the_rulebook_stay_texts() -> None:
    titles = NASTY.replace("\\", "\\\\").replace('"', '\\"')
    with explorer(titles) as server:
        text = ask(server, "/?do=light(red)&do=light(blue)")[2]
    assert ("<script" in text, "&lt;script&gt;" in text) == (False, True)
