export { coverSize, FIRST_IMPORTED_ID, originalPath, resizeCover } from './content-files.service.ts';
export { readPictureSources } from './pictures.service.ts';
