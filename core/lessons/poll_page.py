"""The page of a poll, as phones show it: one HTML text that loads nothing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from core.lessons.poll import MAX_NUMBER

if TYPE_CHECKING:
    from core.lessons.poll import PollForm

MAX_BUTTONS = 12
"""More choices are a list that opens."""
_STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 20px 16px 40px; max-width: 640px; font: 18px/1.45 system-ui, sans-serif; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 18px; overflow-wrap: anywhere; }
label { display: flex; gap: 12px; align-items: center; min-height: 52px; margin: 0 0 10px; padding: 10px 14px;
  border: 2px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 10px;
  overflow-wrap: anywhere; }
label:has(input:checked) { border-color: #0b63ce; background: color-mix(in srgb, #0b63ce 15%, transparent); }
label span { min-width: 0; }
input[type=radio] { width: 22px; height: 22px; flex: none; margin: 0; }
input[type=number], select { width: 100%; min-width: 0; font: inherit; font-size: 24px; padding: 8px; }
button { width: 100%; min-height: 56px; font: inherit; font-weight: 600; color: #fff; background: #0b63ce;
  border: 0; border-radius: 10px; margin-top: 8px; }
button:disabled { opacity: 0.6; }
output { display: block; min-height: 3em; margin-top: 16px; font-weight: 600; }
"""
_SCRIPT = """
const form = document.querySelector("form"), said = document.querySelector("output");
const button = document.querySelector("button");
let voter = location.hash.slice(1);
if (!/^[0-9a-f]{32}$/.test(voter)) {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)));
  voter = random.map(each => each.toString(16).padStart(2, "0")).join("");
  history.replaceState(null, "", "#" + voter);
}
form.addEventListener("submit", async event => {
  event.preventDefault();
  const picked = new FormData(form).get("answer");
  if (picked === null || picked === "") {
    said.textContent = "Give an answer first.";
    return;
  }
  button.disabled = true;
  try {
    const reply = await fetch(location.pathname, {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify({voter, answer: Number(picked)}),
    });
    said.textContent = await reply.text();
  } catch {
    said.textContent = "The poll is over, or this phone is in another network.";
  }
  button.disabled = false;
});
"""


def poll_page(form: PollForm, nonce: str) -> str:
    """Return the page of a poll; `nonce` lets its own style and script pass its policy (`poll_policy`)."""
    if form.takes_number:
        controls = (
            f'<label><input type="number" name="answer" min="0" max="{MAX_NUMBER:.0f}" step="any" '
            f'inputmode="decimal" aria-label="Your answer" required><span>{escape(form.unit)}</span></label>'
        )
    elif len(form.choices) > MAX_BUTTONS:
        listed = "".join(
            f'<option value="{number}">{escape(text)}</option>' for number, text in enumerate(form.choices)
        )
        controls = (
            '<label><select name="answer" aria-label="Your answer">'
            f'<option value="">Choose…</option>{listed}</select></label>'
        )
    else:
        controls = "\n".join(
            f'<label><input type="radio" name="answer" value="{number}"><span>{escape(text)}</span></label>'
            for number, text in enumerate(form.choices)
        )
    mark = escape(nonce)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Poll</title>
<style nonce="{mark}">{_STYLE}</style>
</head>
<body>
<h1>{escape(form.question)}</h1>
<form novalidate>
{controls}
<button>Send my answer</button>
<output></output>
</form>
<noscript>Answers are sent by a script: allow scripts for this page.</noscript>
<script nonce="{mark}">{_SCRIPT}</script>
</body>
</html>
"""


def poll_policy(nonce: str) -> str:
    """Return the Content-Security-Policy of the page: it loads nothing, and sends to its own server alone."""
    return (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
