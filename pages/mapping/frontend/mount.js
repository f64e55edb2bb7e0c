// The entry.

export default mounted((parent) => new MappingViewer(parent));
