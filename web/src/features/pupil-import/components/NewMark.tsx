import { useAdded } from '../model/added-pupils.ts';
import css from './NewMark.module.css';

/** Marks a pupil whom the last import made. */
export const NewMark = ({ pupilId }: { pupilId: number }) =>
  useAdded()?.ids.includes(pupilId) ? <span className={css.mark}>New</span> : null;
