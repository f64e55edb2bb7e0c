// The entry.

export default mounted((parent) => new AttributionViewer(parent));
