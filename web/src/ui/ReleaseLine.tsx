import { RELEASE } from '../shared/product.ts';

/** The version of the portal, which support asks for; nothing under `npm run dev`. */
export const ReleaseLine = () =>
  RELEASE === undefined ? null : (
    <p className="soft small flat">
      Version {RELEASE} · <a href="/third-party-notices.txt">Third-party notices</a>
    </p>
  );
