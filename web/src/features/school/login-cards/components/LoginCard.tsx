import type { NewLogin } from '#contract/calls/login-cards.ts';
import css from './LoginCard.module.css';

/** A printed card: the child's name, the login, and a code that opens the reading app. */
export const LoginCard = ({ login, instruction }: { login: NewLogin; instruction: string }) => (
  <article className={css.card} aria-label={`Login card for ${login.name}`}>
    <div>
      <h2>{login.name}</h2>
      {login.class && <p className={css.class}>{login.class}</p>}
    </div>
    {login.code && (
      <svg
        className={css.code}
        width={96}
        height={96}
        viewBox={`0 0 ${login.code.size} ${login.code.size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label="QR code that opens the reading app with the username"
      >
        <path d={login.code.path} fill="#000" />
      </svg>
    )}
    <dl className={css.fields}>
      <dt>Username</dt>
      <dd>{login.username}</dd>
      <dt>Password</dt>
      <dd>{login.password}</dd>
    </dl>
    <p className={css.where}>{instruction}</p>
  </article>
);
