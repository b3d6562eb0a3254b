import { Progress } from '@mantine/core';
import { useEffect, useState } from 'react';
import { count } from '../../../shared/format.ts';
import css from './CreationProgress.module.css';

/** What making one login takes on a modest server: its password is hashed slowly on purpose. */
const MS_A_PUPIL = 60;

/** Shows that logins are being made. How far it is is a guess that slows down and never claims the end. */
export function CreationProgress({ pupils }: { pupils: number }) {
  const [value, setValue] = useState(3);
  useEffect(() => {
    const began = performance.now();
    const expected = 800 + pupils * MS_A_PUPIL;
    const timer = setInterval(
      () => setValue(3 + 94 * (1 - Math.exp((-1.8 * (performance.now() - began)) / expected))),
      200,
    );
    return () => clearInterval(timer);
  }, [pupils]);

  return (
    <section className={css.box} aria-labelledby="progress-title">
      <h2 id="progress-title">Adding {count(pupils, 'pupil')}</h2>
      <p>Each pupil gets a username and a password, and a card to cut out. Please keep this page open.</p>
      <Progress value={value} size="lg" radius="xl" aria-label="Progress" />
    </section>
  );
}
