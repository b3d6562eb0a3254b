import { useParams } from 'react-router';
import { parseId } from './parse-id.ts';

/** The id in the address of the page; undefined where it is mistyped, which is as good as not found. */
export const useIdParam = (name = 'id'): number | undefined => parseId(useParams()[name]);
