// The controls that answers are given with: a list, a number, an order. Each has `answer`, null as long as there is
// none, and its `text`; `change` is called with every change.

function labelled(input, text, job) {
  const own = document.createElement("label"),
    words = document.createElement("span");
  words.textContent = text;
  own.append(input);
  if (job && colourOfJob(job)) own.append(dot(job));
  own.append(words);
  return own;
}

// Return a square in the colour of a job.
function dot(job) {
  const own = document.createElement("i");
  own.dataset.job = job;
  own.style.background = colourOfJob(job);
  return own;
}

// Return the colour of a job where tasks have the colours of their jobs, else nothing.
function colourOfJob(name) {
  const number = facts.classes.findIndex(each => each.job !== "" && each.job === name);
  return number < 0 ? "" : rgb(look.classes[number]);
}

function listControl(question, change) {
  const box = document.createElement("fieldset");
  box.setAttribute("aria-label", "Answers");
  const inputs = question.options.map((text, i) => {
    const input = document.createElement("input");
    input.type = "radio";
    input.name = "answer";
    input.value = i;
    input.onchange = change;
    box.append(labelled(input, text, question.jobs[i] < 0 ? "" : text));
    return input;
  });
  const taken = () => inputs.findIndex(input => input.checked);
  return {
    box,
    answer: () => taken() < 0 ? null : taken(),
    text: () => question.options[taken()],
    pick(number) {
      if (!inputs[number]) return;
      inputs[number].checked = true;
      inputs[number].parentElement.scrollIntoView({
        block: "nearest"
      });
      change();
    },
    focus: () => (inputs[taken()] || inputs[0]).focus()
  };
}

const NUMBER = /^\d{1,9}([.,]\d*)?$/;

function numberControl(question, change) {
  const input = document.createElement("input");
  input.type = "text";
  input.inputMode = "decimal";
  input.autocomplete = "off";
  input.setAttribute("aria-label", `Answer in ${question.noun}`);
  input.oninput = change;
  const box = labelled(input, question.unit, "");
  box.className = "number";
  const typed = () => input.value.trim();
  return {
    box,
    answer: () => NUMBER.test(typed()) ? Number(typed().replace(",", ".")) : null,
    text: () => `${typed()} ${question.unit}`,
    focus: () => input.focus()
  };
}

function orderControl(question, change) {
  const box = document.createElement("ol"),
    order = progressNow().order?.split(" ").map(Number) || [...question.first];
  box.setAttribute("aria-label", "Your order, first served first");
  // Put the job at one place to another place, and say so.
  function moveJob(from, to) {
    if (to < 0 || to >= order.length || from === to) return;
    order.splice(to, 0, order.splice(from, 1)[0]);
    fill();
    say(`${question.options[order[to]]} is number ${to + 1} of ${order.length}`);
    change();
  }

  function arrow(sign, words, place, by) {
    const own = document.createElement("button");
    own.type = "button";
    own.textContent = sign;
    own.disabled = place + by < 0 || place + by >= order.length;
    own.setAttribute("aria-label", `${question.options[order[place]]} ${words}`);
    own.onclick = () => {
      moveJob(place, place + by);
      const next = box.children[place + by].querySelectorAll("button"),
        same = next[by < 0 ? 0 : 1];
      (same.disabled ? next[by < 0 ? 1 : 0] : same).focus();
    };
    return own;
  }

  function fill() {
    box.replaceChildren(...order.map((job, place) => {
      const own = document.createElement("li"),
        name = document.createElement("b");
      name.textContent = question.options[job];
      own.append(dot(question.options[job]), name, arrow("▲", "earlier", place, -1), arrow("▼",
        "later", place, 1));
      own.onpointerdown = event => drag(event, own, job);
      return own;
    }));
  }
  // Let a job follow the pointer from place to place.
  function drag(event, item, job) {
    if (event.target.closest("button")) return;
    event.preventDefault();
    box.setPointerCapture(event.pointerId);
    const hold = () => box.children[order.indexOf(job)].classList.add("held");
    hold();
    box.onpointermove = moved => {
      const to = [...box.children].findIndex(each => moved.clientY < each.getBoundingClientRect().bottom);
      moveJob(order.indexOf(job), to < 0 ? order.length - 1 : to);
      hold();
    };
    box.onpointerup = box.onpointercancel = () => {
      box.onpointermove = box.onpointerup = box.onpointercancel = null;
      fill();
    };
  }
  fill();
  return {
    box,
    answer: () => [...order],
    text: () => order.map(job => question.options[job]).join(", "),
    focus: () => box.querySelector("button:not(:disabled)").focus()
  };
}

const CONTROLS = {
  list: listControl,
  number: numberControl,
  order: orderControl
};
