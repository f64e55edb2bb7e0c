// The entry.

export default mounted((parent) => new OcrViewer(parent));
