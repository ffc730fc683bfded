import type { ComponentChildren } from 'preact';

/** A part of a panel: its title, what there is to know, and its controls. */
export const Section = (props: { title: string; help?: ComponentChildren; children?: ComponentChildren }) => (
  <section>
    <h2>{props.title}</h2>
    {props.help && <p class="help">{props.help}</p>}
    {props.children}
  </section>
);
