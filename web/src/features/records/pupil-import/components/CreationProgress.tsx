import { count } from '../../../../shared/format.ts';
import css from './CreationProgress.module.css';

/** Shows that logins are being made, which takes a while because passwords are hashed slowly on purpose. */
export function CreationProgress({ pupils }: { pupils: number }) {
  return (
    <section className={css.box} aria-labelledby="progress-title">
      <h2 id="progress-title">Adding {count(pupils, 'pupil')}</h2>
      <p>
        Each pupil gets a username, a password and a login card. If you close this page, we carry on: come back to Add
        Pupils in this browser within 24 hours to get the logins.
      </p>
      <progress className={css.bar} aria-labelledby="progress-title" />
    </section>
  );
}
