from .engine import Engine as Engine
from .pipeline_file import PipelineFile as PipelineFile
from .pipeline_file import build_pipeline as build_pipeline
from .pipeline_file import read_pipeline_file as read_pipeline_file
from .resources import SHIPPED_EVIDENCE_MODEL as SHIPPED_EVIDENCE_MODEL
from .resources import Resources as Resources
