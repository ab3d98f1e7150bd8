// limit REPLY LIST does what no program can leave out: it reads the reply, and of each
// file that a line of the list names the old content, and writes as many bytes of
// anything as the line says. -1 is for a file that stays as it is. It is in C as that
// takes the least: the same in Go takes half as long again.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[256 << 10];

static void fail(const char *name) {
	perror(name);
	exit(1);
}

static void readAll(const char *name) {
	int f = open(name, O_RDONLY);
	ssize_t n = 0;
	if (f < 0 && errno == ENOENT)
		return;
	if (f < 0)
		fail(name);
	do
		n = read(f, buffer, sizeof buffer);
	while (n > 0);
	if (n < 0 || close(f) != 0)
		fail(name);
}

// The list has no folders in folders.
static int create(char *name) {
	int f = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	char *slash = strrchr(name, '/');
	if (f < 0 && errno == ENOENT && slash) {
		*slash = 0;
		if (mkdir(name, 0755) != 0)
			fail(name);
		*slash = '/';
		f = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	}
	if (f < 0)
		fail(name);
	return f;
}

static void writeAll(char *name, long size) {
	int f = create(name);
	while (size > 0) {
		ssize_t n = write(f, buffer, size < (long)sizeof buffer ? (size_t)size : sizeof buffer);
		if (n < 0)
			fail(name);
		size -= n;
	}
	if (close(f) != 0)
		fail(name);
}

int main(int count, char **arguments) {
	static char name[4096];
	long size;
	FILE *list = count == 3 ? fopen(arguments[2], "r") : NULL;
	if (!list)
		fail("limit REPLY LIST");
	readAll(arguments[1]);
	while (fscanf(list, "%ld %4095s", &size, name) == 2) {
		readAll(name);
		if (size >= 0)
			writeAll(name, size);
	}
	return 0;
}
