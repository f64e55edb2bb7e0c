// The entry.

export default mounted((parent) => new RatingViewer(parent));
