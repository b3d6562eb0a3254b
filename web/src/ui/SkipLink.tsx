import css from './SkipLink.module.css';

/** First stop of the keyboard: past the navigation to the content (`id="content"`). */
export function SkipLink() {
  return (
    <a href="#content" className={`${css.skip} no-print`} onClick={() => document.getElementById('content')?.focus()}>
      Skip to main content
    </a>
  );
}
