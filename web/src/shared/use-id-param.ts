import { useParams } from 'react-router';
import { parseId } from './parse-id.ts';

/** The ID in the page's URL; undefined if it is mistyped, which pages treat as not found. */
export const useIdParam = (name = 'id'): number | undefined => parseId(useParams()[name]);
