// Starts the portal on the Node of the system or image. Plain JavaScript, so that an older Node can report itself.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `The portal needs Node 22.18 or later, best Node 24; this is ${process.versions.node}. \`npm start\` uses a Node of its own.\n`,
  );
  process.exit(1);
}
await import('./src/main.ts');
