// The entry.

export default mounted((parent) => new CurationViewer(parent));
