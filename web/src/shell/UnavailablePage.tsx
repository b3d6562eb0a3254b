import { PRODUCT_NAME } from '../shared/product.ts';
import { PlainPage } from './PlainPage.tsx';

/** Shown while the server has no database or too much to do. It works without scripts: the browser reloads it. */
export function UnavailablePage({ isBusy }: { isBusy: boolean }) {
  const title = isBusy ? `${PRODUCT_NAME} is busy` : 'The portal is not available at the moment';
  return (
    <PlainPage>
      <title>{`${title} – ${PRODUCT_NAME}`}</title>
      <h1>{title}</h1>
      <p>{`Everything you saved is safe. This page tries again every ${isBusy ? 5 : 10} seconds.`}</p>
      <p>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty address loads the same page again */}
        <a href="">Try again now</a>
      </p>
    </PlainPage>
  );
}
