from . import open_verifier as open_verifier
from .cascade import CascadeVerifier as CascadeVerifier
from .chat_label import ChatLabelVerifier as ChatLabelVerifier
from .cross_encoder import CrossEncoderVerifier as CrossEncoderVerifier
from .evidence_verifier import EvidenceVerifier as EvidenceVerifier
from .evidence_verifier import settle as settle
from .shipped import ShippedVerifier as ShippedVerifier
