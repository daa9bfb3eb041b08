from .session import Cluster as Cluster
from .session import connect as connect
from .session import portable as portable
from .session import worker_settings as worker_settings
