"""Projects of the ARX desktop tool, as recipes."""

from microveil.app.arx_projects.project import ArxProject, read_arx_project

__all__ = ["ArxProject", "read_arx_project"]
