"""The service worker: while the table is unreachable, a page in the player's language says so; nothing old is shown."""

from __future__ import annotations

import pytest
import real_server
from playwright.sync_api import expect
from scripted_table import ScriptedTable

from vision.simulation import SimulatedTable
from web import create_app

KEPT = """async () => {
  const names = await caches.keys();
  const requests = await Promise.all(names.map((name) => caches.open(name).then((kept) => kept.keys())));
  return [names, requests.flat().map(({ url }) => new URL(url).pathname)];
}"""
READY = "navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)"
CONTROLLED = "navigator.serviceWorker.controller?.state === 'activated'"
SHELL = ["/offline", "/styles/tokens+colours+base.css", "/static/offline.js"]


@pytest.fixture(scope="module")
def app():
    return create_app(ScriptedTable(SimulatedTable(seed=21)).table, language="de")


@pytest.mark.slow
def test_while_the_table_is_unreachable_a_page_says_so_and_reloads_once_it_is_back(app, open_page) -> None:
    with real_server.served(app) as port:
        address = f"http://127.0.0.1:{port}/"
        page = open_page(address, service_workers="allow")
        assert page.evaluate(READY) == f"{address}worker.js"
        page.wait_for_function(CONTROLLED)
        (name,), paths = page.evaluate(KEPT)
        assert name.endswith("-de")
        assert paths == SHELL
        page.reload()
        expect(page.locator("body")).to_have_attribute("data-link", "live")
    page.reload()
    expect(page.get_by_role("heading", name="Der Tisch ist nicht da")).to_be_visible()
    assert page.url == address
    assert page.evaluate("[...document.styleSheets].map(({href}) => new URL(href).pathname)") == [SHELL[1]]
    with real_server.served(app, port=port):
        page.get_by_role("button", name="Jetzt noch einmal versuchen").click()
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        assert page.evaluate(KEPT) == [[name], SHELL]
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.unregister())")
        page.goto("about:blank")
    open_page.complaints.clear()  # the browser's own words on a server that is not there


def test_the_manifest_names_icons_that_exist(app) -> None:
    client = app.test_client()
    manifest = client.get("/manifest.webmanifest").json
    assert manifest["lang"] == "de"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        with client.get(icon["src"]) as answer:
            assert (answer.status_code, answer.mimetype) == (200, icon["type"])


def test_another_version_of_the_page_has_another_worker(app, monkeypatch) -> None:
    client = app.test_client()
    before = client.get("/worker.js").text
    monkeypatch.setattr("web.routes.install.version_of_page", lambda: "another")
    assert before != client.get("/worker.js").text
