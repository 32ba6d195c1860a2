/** Lets the visitor show what is typed into a password field. The button follows the field. */
export function enablePasswordButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-shows]')) {
    const input = document.getElementById(button.dataset.shows ?? '');
    if (!(input instanceof HTMLInputElement)) throw new Error('Button shows no field');
    button.addEventListener('click', () => {
      const isShown = input.type === 'password';
      input.type = isShown ? 'text' : 'password';
      button.textContent = isShown ? 'Hide' : 'Show';
      button.setAttribute('aria-pressed', String(isShown));
    });
  }
}
