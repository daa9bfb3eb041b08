"""Two nodes, one killed in the middle of a load: every acknowledged document is there afterwards."""

import threading

from indexing.documents import article_documents
from indexing.stores.elasticsearch.store import ElasticsearchStore
from tests.indexing.elasticsearch.own_server import needs_own_server, own_server
from tests.sample_articles import long_body, make_article

pytestmark = needs_own_server
ARTICLES = 400
KILL_AT = 100
COMMIT_EVERY = 50


def test_a_load_survives_the_loss_of_a_node():
    with own_server("--nodes", "2", "--port", "9250") as server:
        store = ElasticsearchStore(server.url, index="looksy-nodes", timeout=60)
        with store.writer():
            pass
        store.client.cluster.health(index="looksy-nodes", wait_for_status="green", timeout="60s")
        killer = threading.Thread(target=server.stop, args=("2", "--kill"))
        acknowledged: set[str] = set()
        with store.writer() as writer:
            for number in range(ARTICLES):
                if number == KILL_AT:
                    killer.start()
                article = make_article(f"n{number}", body=long_body(sentences=30, word=f"word{number}"))
                writer.put(article, article_documents(article))
                if (number + 1) % COMMIT_EVERY == 0:
                    writer.commit()
                    acknowledged |= {make_article(f"n{n}").article_id for n in range(number + 1)}
        killer.join()
        assert len(acknowledged) == ARTICLES
        before = store.snapshot_id()
        server.start("--only", "2")
        store.client.cluster.health(index="looksy-nodes", wait_for_status="green", timeout="60s")
        survivor = ElasticsearchStore("http://127.0.0.1:9251", index="looksy-nodes", timeout=60)
        for opened in (store, survivor):
            assert opened.get_articles(acknowledged).keys() == acknowledged
            assert opened.snapshot_id() == before
            assert opened.count_documents() == ARTICLES * len(article_documents(article))
            opened.close()
