// The entry of every screen with a declared form.

export default mounted((parent, { screen }) => new DeclaredViewer(parent, screen));
