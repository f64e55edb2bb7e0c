// The entry.

export default mounted((parent) => new McqViewer(parent));
