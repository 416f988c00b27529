/** Takes an API key; it may be pasted, and a password manager may fill it in. */
export function KeyField(props: { readonly value: string; readonly onKey: (key: string) => void }) {
  return (
    <label>
      API key
      <input
        type="password"
        name="key"
        autocomplete="current-password"
        value={props.value}
        onInput={(event) => props.onKey(event.currentTarget.value)}
        required
      />
    </label>
  );
}
