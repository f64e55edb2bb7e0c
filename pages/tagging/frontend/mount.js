// The entry.

export default mounted((parent) => new TaggingViewer(parent));
