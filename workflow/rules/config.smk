# The config files must be text that can be read, with each key once.
from snakemake.exceptions import WorkflowError

try:
    from mnar.config.file import check_file
    from mnar.core.errors import UserError
except ModuleNotFoundError as error:
    raise WorkflowError(f"{error}: run `make setup`, or install this project with pip.")

try:
    for path in [CONFIG, *workflow.overwrite_configfiles]:
        check_file(path)
except UserError as error:
    raise WorkflowError(f"config: {error}")
