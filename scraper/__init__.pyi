from .rejection import Rejection as Rejection
