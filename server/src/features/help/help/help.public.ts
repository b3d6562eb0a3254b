export { cacheDocument, RENDERING_LIMITS } from './help.service.ts';
