"""Publisher files: what is crawled, one YAML file per site, and which addresses belong to it."""

from scraper.publishers.publisher import FOLDER, Publisher, list_publishers, load_publisher, own_folder

__all__ = ["FOLDER", "Publisher", "list_publishers", "load_publisher", "own_folder"]
