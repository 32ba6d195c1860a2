/** Reads a list and prints how much it received, as JSON: `read-list.ts <url> <token> <text in each row>`. */
const [url, token, mark] = process.argv.slice(2) as [string, string, string];
const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
const decoder = new TextDecoder();
let bytes = 0;
let rows = 0;
let rest = '';
for await (const chunk of response.body ?? []) {
  const text = rest + decoder.decode(chunk, { stream: true });
  bytes += chunk.length;
  rows += text.split(mark).length - 1;
  rest = text.slice(1 - mark.length);
}
console.log(JSON.stringify({ status: response.status, bytes, rows }));
