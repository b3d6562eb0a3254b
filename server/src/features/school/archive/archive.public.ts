export { reapplyErasures } from '../../privacy/erasure/reapply-erasures.service.ts';
export { archive, restore } from './archive.service.ts';
