/** Says how many files knip read: it finds nothing wrong with files that it did not find. */
export default ({ counters }) => console.log(`knip read ${counters.total} files`);
