import { pictures } from '../model/help.ts';
import css from './GuidePicture.module.css';

/** A picture of a screen, with its size so that nothing moves when it loads. */
export function GuidePicture({ name, alt }: { name: string; alt: string }) {
  const picture = pictures[name];
  return picture ? (
    <figure className={css.picture}>
      <img src={picture.src} width={picture.width} height={picture.height} alt={alt} loading="lazy" decoding="async" />
    </figure>
  ) : null;
}
