/** Largest file that the import reads. The contract's `UPLOAD_BYTES`, said again without its schemas; a test holds them together. */
export const UPLOAD_BYTES = 10 * 1024 * 1024;
