"""Touchstone in a notebook: law, methods and figures from files and data frames, no database.

`import touchstone` gives what `PUBLIC` names; nothing is imported before it is asked for. These
names are stable: they go on meaning what they mean, and what replaces one is announced first.
"""

PUBLIC: dict[str, str] = {
    "load_law": "library.law",
    "Law": "library.law",
    "Found": "library.law",
    "load_questions": "library.law",
    "sample": "library.law",
    "Question": "corpus.model",
    "Graph": "corpus.graph.model",
    "Run": "corpus.run",
    "Hit": "corpus.run",
    "read_run": "library.files",
    "write_run": "library.files",
    "read_qrels": "library.files",
    "evaluate": "library.evaluation",
    "Result": "library.evaluation",
    "Figure": "evaluation.figure",
    "Comparison": "evaluation.ranking.compare",
    "Plot": "library.evaluation",
    "plot_measures": "library.evaluation",
    "plot_differences": "library.evaluation",
    "Method": "retrieval.core.method",
    "Parameter": "retrieval.core.model",
    "Corpus": "retrieval.core.model",
    "Document": "retrieval.core.model",
    "Query": "retrieval.core.model",
    "Resources": "retrieval.core.method",
    "best": "corpus.run",
    "register": "library.models",
    "check_method": "retrieval.core.contract",
    "Check": "retrieval.core.contract",
    "Importer": "corpus.importers.registry",
    "check_importer": "library.extensions",
    "check_exporter": "library.extensions",
    "check_measure": "library.extensions",
    "check_task": "annotation.tasks.contract",
    "UserError": "errors",
}
"""Every public name, and the module that has it, in the order in which they are documented."""
