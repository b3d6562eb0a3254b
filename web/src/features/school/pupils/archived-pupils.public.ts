export { useRestorePupils } from './pupils.api.ts';
