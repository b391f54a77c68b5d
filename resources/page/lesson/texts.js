// Text of the lesson: trees of a tag and what is in it become elements; nothing else of them is markup.

const TAGS = new Set(["p", "h3", "h4", "ul", "ol", "li", "b", "i", "code", "table", "tr", "th", "td", "div"]);

function nodeOf(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, ...inside] = tree, own = document.createElement(TAGS.has(tag) ? tag : "span");
  own.append(...inside.map(nodeOf));
  return own;
}

// Put trees into an element, in the place of what was there.
const put = (id, trees) => element(id).replaceChildren(...trees.map(nodeOf));

// Return a paragraph with a class.
function paragraph(text, className = "") {
  const own = document.createElement("p");
  own.className = className;
  own.textContent = text;
  return own;
}

const plainText = trees => trees.map(tree => typeof tree === "string" ? tree : plainText(tree.slice(1))).join("");
