import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** True for a page with one form. */
  readonly narrow?: boolean;
  readonly children: ComponentChildren;
}

/** A page with its heading, which gets the focus, so that screen readers announce the new page. */
export function Page({ title, narrow = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${title} – Convene`;
  }, [title]);
  return (
    <main class={narrow ? 'narrow' : ''}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
