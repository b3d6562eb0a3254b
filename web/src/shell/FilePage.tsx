import type { FileFailure } from '#contract/pages.ts';
import { ButtonAnchor } from '../ui/Button.tsx';
import { paths } from '../paths.ts';
import { PRODUCT_NAME } from '../shared/product.ts';
import { PlainPage } from './PlainPage.tsx';

const NO_SESSION = 401;
const NOT_THEIRS = 404;

/** Shown in place of new logins that a browser has opened by their link. It works without scripts. */
export function FilePage({ status, text, path }: FileFailure) {
  const title = status === NO_SESSION ? 'Log in to open this file' : 'You cannot open this file';
  return (
    <PlainPage>
      <title>{`${title} – ${PRODUCT_NAME}`}</title>
      <h1>{title}</h1>
      {status === NO_SESSION || status === NOT_THEIRS ? (
        <>
          <p>
            This is a link to new login cards of pupils. Only the person who made them can open it, for 24 hours and
            while logged in.
          </p>
          <p>
            {status === NO_SESSION
              ? 'If someone else made them or the 24 hours are over, reset the pupils’ passwords to make new cards.'
              : 'If you made them in the last 24 hours, check that you are logged in to the same account. Otherwise reset the pupils’ passwords to make new cards.'}
          </p>
        </>
      ) : (
        <p>{text}</p>
      )}
      {status === NO_SESSION ? (
        <ButtonAnchor href={paths.login({ redirect: pageOf(path) })}>Log in</ButtonAnchor>
      ) : (
        <ButtonAnchor href={status === NOT_THEIRS ? paths.pupils() : paths.dashboard()}>
          {status === NOT_THEIRS ? 'Go to the pupils' : `Go to ${PRODUCT_NAME}`}
        </ButtonAnchor>
      )}
    </PlainPage>
  );
}

/** The page with the file and the other sizes: a download itself would leave the browser on the login form. */
function pageOf(path: string): string {
  const [, token] = /\/([\w-]+)\.\w+$/.exec(path) ?? [];
  return token === undefined ? paths.pupils() : paths.logins(token);
}
