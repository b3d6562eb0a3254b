import css from './AppLayout.module.css';

/** What a page of the app says without its scripts. */
export const WithoutScriptNote = () => (
  <p className={`without-script ${css.scriptless}`}>
    You can view this page, but you need JavaScript to make changes. JavaScript is switched off or did not load in your
    browser. Switch it on, or load this page again.
  </p>
);
