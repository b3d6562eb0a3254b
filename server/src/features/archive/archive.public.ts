export { reapplyErasures } from './reapply-erasures.service.ts';
export { archive, restore } from './archive.service.ts';
