from .server import SampleServer as SampleServer
from .stories import read_stories as read_stories
