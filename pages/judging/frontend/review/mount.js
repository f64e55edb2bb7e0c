// The entry.

export default mounted((parent) => new ReviewViewer(parent));
