// The entry.

export default mounted((parent) => new ResearchViewer(parent));
