// Before the first paint, and as a file of its own: the content security policy allows no inline scripts.
const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
